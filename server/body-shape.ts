/**
 * Depth and number of values of a JSON text, told from the text alone: parsing it, and every walk over what comes of it,
 * would cost thousands of times more than this look.
 */

/** Deeper documents parse, but cannot be written again: they are refused before anything depends on them. */
const MAX_DEPTH = 64;
/** Twice what the largest order has. Each member costs checks of its own, during which this process answers nobody. */
const MAX_VALUES = 10_000;

const CODES = { quote: 34, comma: 44, openList: 91, backslash: 92, closeList: 93, openObject: 123, closeObject: 125 };

/** In words that follow "The request"; `undefined` when there is nothing to refuse. Says nothing of whether it is JSON. */
export function faultOfShape(text: string): string | undefined {
  let depth = 0;
  let valueCount = 1;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === CODES.quote) isInString = !isInString;
    else if (isInString) index += code === CODES.backslash ? 1 : 0;
    else if (code === CODES.comma) valueCount += 1;
    else if (code === CODES.openList || code === CODES.openObject) depth += 1;
    else if (code === CODES.closeList || code === CODES.closeObject) depth -= 1;
    if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
    if (valueCount > MAX_VALUES) return `holds more than ${MAX_VALUES} values`;
  }
  return undefined;
}
