// Whoever calls decides what runs.
export async function load(url) {
  const answer = await fetch(url);
  new Function(await answer.text())();
}
