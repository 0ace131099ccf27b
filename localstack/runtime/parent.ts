/** The process that has started this one, as it was when the first modules were read: it may be gone when all of them are. */
export const parent = process.ppid;
