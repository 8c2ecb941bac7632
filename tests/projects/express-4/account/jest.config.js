module.exports = {"preset":"ts-jest","testEnvironment":"node","testTimeout":120000,"moduleNameMapper":{"^(\\.{1,2}/.*)\\.js$":"$1"}};
