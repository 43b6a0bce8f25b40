/** Encodings of text that a caller may state; GBK is read as GB18030, of which it is a part. */
export const textEncodings = ['utf8', 'gbk'] as const
export type TextEncoding = (typeof textEncodings)[number]
