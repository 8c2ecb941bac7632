import { z } from 'zod';
import express from 'express';
const pg = require('pg/lib/x');
export { z, express, pg };
