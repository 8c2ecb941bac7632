const axios = require('axios');
module.exports.read = async (url) => (await axios.get(url)).data;
