// @flow
type A = {| b: string |};
const x: ?number = 1;
