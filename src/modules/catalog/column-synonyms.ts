/** Headings of other programs. The desk suggests the column; a person decides. */
export const COLUMN_SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  sku: [
    'Code',
    'Item Code',
    'Item No',
    'Product Code',
    'SKU Code',
    'Article',
    'Article No',
    'Style Code',
    'Part No',
  ],
  name: ['Item', 'Item Name', 'Product', 'Product Name', 'Title', 'Particulars'],
  description: ['Details', 'Product Description'],
  category: ['Group', 'Item Group', 'Product Type'],
  images: ['Image', 'Picture', 'Photo', 'Image URL'],
  base_price: ['Price', 'Rate', 'Selling Price', 'Unit Price', 'Basic Rate'],
  wholesale_price: ['Price', 'Rate', 'Net Rate', 'Special Price', 'Dealer Price'],
  mrp: ['Maximum Retail Price', 'Max Retail Price'],
  delivery_charge: ['Delivery', 'Shipping', 'Freight'],
  quantity: ['Qty', 'Stock', 'Closing Stock', 'On Hand', 'Available', 'Balance', 'Count'],
  variation: ['Variant', 'Size', 'Colour', 'Color', 'Option'],
  plan: ['Plan Code', 'Price List', 'Customer Group', 'Scheme'],
  hsn: ['HSN Code', 'HSN/SAC'],
  gst_rate: ['GST', 'GST %', 'Tax', 'Tax %', 'Tax Rate'],
  unit: ['UOM', 'Units'],
  barcode: ['EAN', 'UPC', 'GTIN'],
  weight_grams: ['Weight', 'Weight (g)'],
  shelf: ['Bin', 'Rack', 'Location'],
  country_of_origin: ['Origin', 'Country', 'Made In'],
  manufacturer: ['Brand', 'Manufactured By', 'Importer'],
};

/** SQL that counts the values which are such keys, for columns whose heading says nothing. */
export const KNOWN_SKUS = 'SELECT count(*)::int AS count FROM products WHERE sku = ANY ($1)';
