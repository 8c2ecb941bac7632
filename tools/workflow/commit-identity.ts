/** Whose the commits of the workflows are, as git's variables. */
export function commitIdentity(): Record<string, string> {
  const [name, email] = ['stackyard-gate', 'gate@users.noreply.invalid'];
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
