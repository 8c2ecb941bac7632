// The routes as OpenAPI 3.1.

import { describeRoutes, type Json, listOf, object, PAGE_PARAMETERS, parameter, ref } from '../module-routes/index.js';

const text: Json = { type: 'string' };
const bytes: Json = { type: 'integer', minimum: 1 };
const time: Json = { type: 'string', format: 'date-time' };
const flag: Json = { type: 'boolean' };
const file = object({ id: text, name: text, type: text, size: bytes, created_at: time, url: text, is_direct: flag });
const content: Json = { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } };
const oneFile = object({ file: ref('File') });
const key = parameter('header', 'Idempotency-Key', { ...text, maxLength: 200 });

const LOGIN = { 401: 'There is no valid login' };
const OWN = { ...LOGIN, 404: 'The user has no such file' };
const STORAGE = { 503: 'The storage is unavailable', 507: 'The storage is full' };
const UPLOAD = {
  ...LOGIN,
  400: 'The request breaks a rule',
  409: 'The key had another upload, or there are no direct uploads',
  413: 'The file is too large, or all files of the user together',
  429: 'Too many uploads at once',
};

const NOT_ALLOWED = { 415: 'The content is of a type that is not allowed' };
const page = object({ files: listOf(ref('File')), next: { type: ['string', 'null'] } });
const upload = object({ method: text, url: text, headers: { type: 'object' }, expires_at: time });

export const openApi = describeRoutes(
  'files',
  {
    '/': {
      get: {
        summary: 'Lists the files of the user, newest first',
        answers: { 200: page },
        refusals: { ...LOGIN, 400: 'A parameter is wrong' },
        parameters: PAGE_PARAMETERS,
      },
      post: {
        summary: 'Stores the body as a file',
        answers: { 201: oneFile, 200: oneFile },
        refusals: { ...UPLOAD, ...STORAGE, ...NOT_ALLOWED, 411: 'The length is missing' },
        body: content,
        parameters: [parameter('query', 'name', text), key],
      },
    },
    '/uploads': {
      post: {
        summary: 'Begins an upload that goes to the bucket directly',
        answers: { 201: object({ id: text, upload }) },
        refusals: UPLOAD,
        body: object({ name: text, size: bytes }),
        parameters: [key],
      },
    },
    '/{id}/complete': {
      post: {
        summary: 'Checks and keeps what went to the bucket',
        answers: { 200: oneFile },
        refusals: { ...OWN, ...STORAGE, ...NOT_ALLOWED, 409: 'The bytes are missing, or their number differs' },
      },
    },
    '/{id}': {
      get: { summary: 'What is known of a file', answers: { 200: oneFile }, refusals: OWN },
      delete: { summary: 'Deletes a file', answers: { 204: 'It is deleted' }, refusals: { ...OWN, 503: STORAGE[503] } },
    },
    '/{id}/content': {
      get: {
        summary: 'The bytes of a file',
        answers: { 200: content, 206: content, 302: 'They are at this address', 304: 'They have not changed' },
        refusals: { ...OWN, 412: 'The file is another one', 416: 'The range is behind the end', 503: STORAGE[503] },
        parameters: [parameter('query', 'download', text), parameter('header', 'Range', text)],
      },
    },
  },
  { File: file },
);
