export const a = process.env.JWT_ISSUER;
