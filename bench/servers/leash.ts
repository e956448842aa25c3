// Loaded into every process that the bench starts: none outlives it, however it ends.
process.once('disconnect', () => process.exit());
