const marker = '-----BEGIN ' + name + '-----';
export const isKey = (text: string): boolean => text.startsWith(marker);
