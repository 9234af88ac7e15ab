// The compiler API of TypeScript 6, which TypeScript 7 no longer has and generators of clients still use.
module.exports = require('@ts-morph/common').ts;
