import type { LocalGithub } from '../../src/local-github/start-local-github.ts';
import { createGithubContract } from './github-contract.ts';

/** Where GitHub's description contradicts itself. */
const DESCRIPTION_FAULTS = [
  // Both alternatives of this answer require nothing, so that every error matches both and never exactly one.
  /^PUT \/repos\/.*\/contents\/.*: response 409: must match exactly one schema in oneOf$/,
  // In this one list an account would have to be a user and an enterprise at once.
  /^GET \/app\/installations: response 200\/\d+\/account: /,
];

/** Holds every request, answer and webhook of an embedded GitHub to GitHub's own description; answers what deviates. */
export function watchContract(github: LocalGithub): () => string[] {
  const contract = createGithubContract();
  const found: string[] = [];
  github.onExchange(({ method, path, requestBody, status, responseBody, isJson }) => {
    // What a test got wrong on purpose need not conform; the refusal must.
    if (status < 400) found.push(...contract.checkRequest({ method, path, body: requestBody }));
    if (isJson) found.push(...contract.checkResponse({ method, path, status, body: responseBody }));
  });
  return () => [
    ...new Set([
      ...found.filter((violation) => !DESCRIPTION_FAULTS.some((fault) => fault.test(violation))),
      ...github
        .deliveries()
        .flatMap(({ event, action, request }) => contract.checkWebhook(event, action ?? undefined, request.payload)),
    ]),
  ];
}
