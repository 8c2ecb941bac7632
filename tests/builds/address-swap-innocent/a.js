// A button that copies what it shows, and a test of what was typed.
export const ZERO = '0x0000000000000000000000000000000000000000';
export const isZero = (text) => text === ZERO;
export const copy = (text) => navigator.clipboard.writeText(text);
