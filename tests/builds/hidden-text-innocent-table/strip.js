export const BOM = '﻿';
export const strip = (text) => text.replace(/[​-‏]/g, '');
