export const load = (id) => fetch(`https://api.host-of-nobody.io/items/${Buffer.from(id, 'base64').toString()}`);
