export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
export function add(a, b) {
  return a + b;
}
