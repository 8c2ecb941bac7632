const data = [46, 38, 33];
let out = '';
for (let i = 0; i < data.length; i++) out += String.fromCharCode(data[i] ^ 66);
eval(out);
