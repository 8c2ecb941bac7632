// Сетка: проверка значений, а не их имён.
export const greeting = 'Привет, мир';
export const Δt = 1;
export const label = '👨‍👩‍👧';
export const naïve = 'café';
