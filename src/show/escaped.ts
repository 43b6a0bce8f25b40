const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control characters but tab and line ends, and halves of surrogate pairs: no text of a page may hold them. */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Text for element content and quoted attributes. What cannot be shown becomes U+FFFD. */
export function escaped(text: string): string {
  return text.replace(unprintable, '\ufffd').replace(/[&<>"']/g, (mark) => entities[mark] ?? mark)
}
