import { verify } from 'node:crypto';
import { z } from 'zod';
import { refusal } from '../state/refusal.ts';
import type { Site } from '../state/site.ts';

const longestLifetimeS = 10 * 60;

const headerSchema = z.object({ alg: z.literal('RS256') });
const claimsSchema = z.object({ iat: z.number(), exp: z.number(), iss: z.union([z.string(), z.number()]) });

/** Throws GitHub's 401 unless this is a valid token of the app: RS256, its key, its id, ten minutes at most. */
export function verifyAppJwt(site: Site, token: string): void {
  const { app } = site;
  const [header = '', claims = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${header}.${claims}`);
  const isSigned = verify('RSA-SHA256', signed, app.publicKey, Buffer.from(signature, 'base64url'));
  const parsed = claimsSchema.safeParse(decodePart(claims));
  if (!headerSchema.safeParse(decodePart(header)).success || !isSigned || !parsed.success) {
    throw refusal(401, 'A JSON web token could not be decoded');
  }
  const { iat, exp, iss } = parsed.data;
  const nowS = Math.floor(site.now().getTime() / 1000);
  if (String(iss) !== String(app.id)) throw refusal(401, 'A JSON web token could not be decoded');
  if (exp <= nowS) {
    throw refusal(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (exp > nowS + longestLifetimeS) throw refusal(401, "'Expiration time' claim ('exp') is too far in the future");
  if (iat > nowS) {
    throw refusal(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
}

function decodePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
