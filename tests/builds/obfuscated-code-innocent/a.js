const table = '\u00e9\u00e8\u4e2d\u6587'.repeat(2);
const hex = 0x1f4a9;
const pattern = /^[\x00-\x7f]+$/;
export { table, hex, pattern };
