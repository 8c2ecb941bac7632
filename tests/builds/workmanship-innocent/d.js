/** @param {string} e */
export function d(e) {}
