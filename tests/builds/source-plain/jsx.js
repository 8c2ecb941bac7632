const { a = 1, ...b } = await import("./x.js");
export class A { static #p = 1; @d x = <p>it is fine</p>; }
