/** The dictionary with which the texts of intents are deflated. */
/** Text that data and meta of most intents have. It can never change: stored items need it. */
export const usualWords = Buffer.from(
  [
    '"custom":{"schema":"status":"processing""pending""rejected""aborted""failed""finalized""activated""cleared"',
    '"counted":{"status":],"accepted":["together":"limitedWallets":"isLimited":true"thread":"expiry":"',
    '{"claims":[{"action":"issue","amount":{"action":"destroy","handle":"submit":{"parent":"',
    '{"claims":[{"action":"transfer","amount":100,"source":"","symbol":"usd","target":"@"}],"handle":"transfer-',
    '[[0,{"moment":-1,"status":0},20],[1,{"status":1},17],[1,{"expiry":"2026-2027-T00:00:00.000Z","status":1},19],',
    '[1,{"handle":"deb_-P7","schema":"debit","wallet":"","symbol":"usd","amount":1,"inputs":[0],"bridge":"","status":2},17],',
    '[1,{"handle":"cre_-P7","schema":"credit","wallet":"","symbol":"usd","amount":1,"inputs":[0],"bridge":"","status":2},17],',
    '[1,{"status":3},17],[1,{"moment":10,"status":5},20],[2,{"moment":10,"handle":2,"status":4},28],[3,{"moment":10,"handle":3,"status":4},28]]',
    ',[[0,"pending",2],[1,"processing",5],[1,"prepared",8],[1,"committed",10],[1,"completed",12]],{"voices":{"',
    '["2026-",[0],[[0,"",1],[1,"system"],[2,"",1],[3,"",1]],',
  ].join(''),
);
