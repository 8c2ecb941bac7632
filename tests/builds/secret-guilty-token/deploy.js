export const token = 'ghp_x7Kd9QmW2ZrT5vB8nC1pL4sJ6hY3gF0aEuIo';
