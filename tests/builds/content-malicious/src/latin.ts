export const name = "café";
