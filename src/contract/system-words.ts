/** What the system says of files and connections, which errors quote. */
// biome-ignore format: a table, one reason a line
const systemReasons: Readonly<Record<string, string>> = {
  'ENOENT: no such file or directory': 'ENOENT：没有这个文件或目录',
  'EACCES: permission denied': 'EACCES：没有权限',
  'EPERM: operation not permitted': 'EPERM：不允许此操作',
  'EISDIR: illegal operation on a directory': 'EISDIR：目标是目录',
  'ENOTDIR: not a directory': 'ENOTDIR：不是目录',
  'EEXIST: file already exists': 'EEXIST：文件已存在',
  'ENOSPC: no space left on device': 'ENOSPC：磁盘已满',
  'EFBIG: file too large': 'EFBIG：文件超过大小限制',
  'EROFS: read-only file system': 'EROFS：文件系统只读',
  'EIO: i/o error': 'EIO：读写错误',
  'EMFILE: too many open files': 'EMFILE：打开的文件过多',
  'connect ECONNREFUSED': '连接被拒绝 ECONNREFUSED',
  'connect ETIMEDOUT': '连接超时 ETIMEDOUT',
  'connect EHOSTUNREACH': '无法到达主机 EHOSTUNREACH',
  'read ECONNRESET': '连接被重置 ECONNRESET',
  'getaddrinfo ENOTFOUND': '找不到主机 ENOTFOUND',
  'getaddrinfo EAI_AGAIN': '暂时无法解析主机 EAI_AGAIN',
  'other side closed': '对方关闭了连接',
  'Unexpected end of JSON input': 'JSON 不完整',
}

/** A text with what the system said in it, that in Chinese. */
export function systemInChinese(text: string): string {
  return Object.entries(systemReasons).reduce((said, [english, chinese]) => said.replace(english, chinese), text)
}
