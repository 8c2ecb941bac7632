import './a.js';
