module.exports = { hooks: {} };
