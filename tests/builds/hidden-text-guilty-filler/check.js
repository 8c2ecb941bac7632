export function check({ timeout, ㅤ }) {
  return [timeout, ㅤ];
}
