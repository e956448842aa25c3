// Loaded into every process of the bench, so that none outlives it.
process.once('disconnect', () => process.exit());
