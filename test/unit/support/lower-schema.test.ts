import { expect, it } from 'vitest';

import { lowerSchema } from '../../support/lower-schema.ts';

it('lets null through wherever GitHub says nullable', () => {
  expect(lowerSchema({ type: 'string', nullable: true, enum: ['success'] })).toEqual({
    type: ['string', 'null'],
    enum: ['success', null],
  });
  expect(lowerSchema({ nullable: true, allOf: [{ $ref: '#/components/schemas/simple-user' }] })).toEqual({
    anyOf: [{ type: 'null' }, { allOf: [{ $ref: '#/schemas/simple-user' }] }],
  });
});

it('drops prose but keeps properties that are called like prose', () => {
  const schema = { description: 'prose', properties: { description: { type: 'string', example: 'x' } } };
  expect(lowerSchema(schema)).toEqual({ properties: { description: { type: 'string' } } });
});
