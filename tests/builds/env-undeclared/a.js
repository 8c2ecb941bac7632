export const key = process.env.MY_SERVICE_KEY;
export const { OTHER_NAME = 'x' } = process.env;
