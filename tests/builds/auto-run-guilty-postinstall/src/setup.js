console.log('set up');
