const pairs = new Map<string, Buffer>()

/** Text in GBK: of each pair of bytes, what it stands for. */
export function gbk(text: string): Buffer {
  const decoder = new TextDecoder('gbk')
  for (let first = 0x81; first < 0xff && pairs.size < 20_000; first++) {
    for (let second = 0x40; second < 0xff; second++) {
      const pair = Buffer.from([first, second])
      pairs.set(decoder.decode(pair), pair)
    }
  }
  return Buffer.concat(
    [...text].map((letter) => (letter < '\x80' ? Buffer.from(letter) : (pairs.get(letter) as Buffer))),
  )
}
