import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeSubject, type Subject } from '../../server/principal.ts';

/** Short texts of what an encoding might trip over, and any text at all, also with half a surrogate pair. */
const tricky = fc
  .array(
    fc.constantFrom('a', '"', '\\', ',', ':', '/', '[', ']', '|', '\u0000', 'é', 'e\u0301', '\ud800', 'u', 'd800'),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(''));
const text = fc.oneof(tricky, fc.string({ unit: 'binary', maxLength: 6 }));
const subject: fc.Arbitrary<Subject> = fc.record(
  { issuer: text, subject: text, tenant: text },
  { requiredKeys: ['issuer', 'subject'], noNullPrototype: true },
);

/** As HMAC sees it. */
function bytesOf(one: Subject): string {
  return Buffer.from(encodeSubject(one), 'utf8').toString('hex');
}

function isSame(one: Subject, other: Subject): boolean {
  return one.issuer === other.issuer && one.subject === other.subject && one.tenant === other.tenant;
}

/** The other one has the same letters, cut elsewhere. */
const recut = fc.tuple(tricky, fc.nat(), fc.nat(), fc.nat(), fc.nat()).map(([letters, ...cuts]) => {
  const cutAt = (first: number, second: number): Subject => {
    const [from = 0, to = 0] = [first, second].map((cut) => cut % (letters.length + 1)).sort((a, b) => a - b);
    return { issuer: letters.slice(0, from), subject: letters.slice(from, to), tenant: letters.slice(to) };
  };
  return [cutAt(cuts[0], cuts[1]), cutAt(cuts[2], cuts[3])] as const;
});

describe('encodeSubject', () => {
  it('never gives two subjects the same bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(subject, subject), recut), ([one, other]) => {
        expect(bytesOf(one) === bytesOf(other)).toBe(isSame(one, other));
      }),
      { numRuns: 2_000 },
    );
  });

  it('tells an empty tenant from none', () => {
    const none = { issuer: 'i', subject: 's' };
    expect(bytesOf(none)).not.toBe(bytesOf({ ...none, tenant: '' }));
  });
});
