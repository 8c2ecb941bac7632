export const a = (b) => b;
