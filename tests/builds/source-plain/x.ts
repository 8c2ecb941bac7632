enum E { A }
export const x = <T,>(y: T): T => y satisfies T;
