/** Returns where the string of a JSON text ends that begins at `start`: the index of its closing quotation mark. */
export function findStringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
