/**
 * Keeps the beginning and the end of a stream within a byte budget (a quarter and three quarters) and counts the rest, so that no
 * flood of output costs the bot memory. What went missing is said in the text, where it went missing.
 */
export interface KeptOutput {
  add(chunk: Buffer): void;
  text(): string;
  readonly droppedBytes: number;
}

export function keepOutput(maxBytes: number): KeptOutput {
  const headBytes = Math.floor(maxBytes / 4);
  const tailBytes = maxBytes - headBytes;
  const head: Buffer[] = [];
  let headLength = 0;
  let tail: Buffer[] = [];
  let tailLength = 0;
  let dropped = 0;

  const compact = () => {
    const all = Buffer.concat(tail);
    const kept = all.subarray(Math.max(0, all.length - tailBytes));
    dropped += all.length - kept.length;
    // A copy: a slice would keep the whole of what it was cut from alive.
    tail = kept.length === 0 ? [] : [Buffer.from(kept)];
    tailLength = kept.length;
  };

  return {
    add(chunk) {
      const forHead = chunk.subarray(0, headBytes - headLength);
      if (forHead.length > 0) head.push(forHead);
      headLength += forHead.length;
      const forTail = chunk.subarray(forHead.length);
      if (forTail.length === 0) return;
      tail.push(forTail);
      tailLength += forTail.length;
      // Twice the budget before cutting: each byte is then copied a fixed number of times, however small the chunks.
      if (tailLength > 2 * tailBytes || tail.length > 4096) compact();
    },
    text() {
      compact();
      const end = Buffer.concat(tail);
      if (dropped === 0) return Buffer.concat([...head, end]).toString('utf8');
      const beginning = Buffer.concat(head).toString('utf8');
      return `${beginning}\n[… ${dropped} bytes of output dropped …]\n${end.toString('utf8')}`;
    },
    get droppedBytes() {
      compact();
      return dropped;
    },
  };
}
