const token = process.env.SERVICE_TOKEN;
export const get = (path) => fetch('https://api.service.dev' + path, { headers: { authorization: `Bearer ${token}` } });
