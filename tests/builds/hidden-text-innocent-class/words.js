export const SPACES = /[ \t -  - ]/;
export const SIGNS = "([!-\\[\\]-‧‪-\uD7FF])";
