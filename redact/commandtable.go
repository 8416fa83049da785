// Code generated from commands.txt by gen.go; DO NOT EDIT.

package redact

// Classes of commands that code treats apart.
const (
	classEcho    = 1
	classCurl    = 2
	classOpenssl = 3
	classBase64  = 4
	classSet     = 5

	// Classes from here on count only where a command may stand.
	classStrict = 100
)

// commandNames are sorted, each with its class and the high bit behind it.
const commandNames = "" +
	"7z\x8e7za\x8e7zr\x8e7zz\x8eConvertTo-SecureString\x9cGetUserSPNs.py\xb3ab\xb4aescrypt\x90age\xe0airflow\xd2" +
	"ansible\x88ansible-vault\xdfapksigner\xcdapptainer\xdaaws\xd4az\xd5base64\x84bcp\xaebeeline\xb9bitcoin-cli\xe3" +
	"buildah\xdabundle\xc5bundletool\xcdbw\xe0cargo\xc6cbq\xb9ccrypt\x90choco\xcachpasswd\x88civo\xd9" +
	"cmdkey\x9dcme\xb2codecov\xcccomposer\xc4conan\xc8consul\xbdconvex\xd7cosign\xdacouchbase-cli\xb9cqlsh\xb9" +
	"crackmapexec\xb2crane\xdacreateUser\x97cryptsetup\x88ctr\xdbcurl\x82cypher-shell\xb9db2\xbcdiskutil\x9edoas\x87" +
	"docker\xdadoctl\xd7dogecoin-cli\xe3dotnet\xcbdrush\xe1dscl\x9feas\xd7echo\x81ejabberdctl\xc2elasticsearch-users\xc3" +
	"encfs\x88enum4linux\xb2etcdctl\xbdevil-winrm\xb2exp\xbbexpdp\xbbexpo\xd7fly\xd7flyctl\xd7gcloud\xd6" +
	"gh\xd1git\xd0glab\xd1gojq\x96gopass\xe0gpg\x91gpg-preset-passphrase\x91gpg2\x91gsed\x86hcloud\xd3" +
	"hdiutil\x9ehelm\xdaheroku\xd7htdigest\x88htpasswd\x8chttp\xb4httpie\xb4https\xb4hub\xd1hydra\xb2" +
	"imp\xbbimpacket-GetUserSPNs\xb3impacket-mssqlclient\xb3impacket-psexec\xb3impacket-secretsdump\xb3impacket-smbclient\xb3impacket-smbexec\xb3impacket-wmiexec\xb3impdp\xbbimportprivkey\x99" +
	"influx\xbfipmitool\xaeisql\xaejaq\x96jarsigner\xcejq\x96kadmin\xabkeyctl\x94keydb-cli\xbakeytool\xce" +
	"kinit\x88kpasswd\x88kubectl\xd7ldapadd\xabldapcompare\xabldapdelete\xabldapmodify\xabldappasswd\xacldapsearch\xabldapwhoami\xab" +
	"lftp\xa7litecoin-cli\xe3lpass\xe0mariadb\xb8mariadb-admin\xb8mariadb-dump\xb8mc\xddmcli\xddmcrypt\x90medusa\xb2" +
	"mkpasswd\x8bmongo\xb9mongodump\xb9mongoexport\xb9mongoimport\xb9mongorestore\xb9mongosh\xb9mongostat\xb9mongotop\xb9mosquitto_passwd\x8d" +
	"mosquitto_pub\xaemosquitto_rr\xaemosquitto_sub\xaemssqlclient.py\xb3mutool\xb6mycli\xb9mysql\xb8mysqladmin\xb8mysqlbinlog\xb8mysqlcheck\xb8" +
	"mysqldump\xb8mysqlimport\xb8mysqlpump\xb8mysqlsh\xb7mysqlslap\xb8ncftp\xb2ncftpget\xb2ncftpput\xb2nebula-console\xb9neo4j-admin\xc0" +
	"nerdctl\xdanet\xeanet.exe\xeanetexec\xb2netlify\xd7networksetup\xa0ngrok\xc7nmcli\xa1npm\xc4npm-cli-login\xc8" +
	"nuget\xcanxc\xb2oathtool\xe2oc\xdaop\xe0openconnect\x88openfortivpn\xb2openssl\x83oras\xdaosslsigncode\xb1" +
	"ovsx\xc9pass\xe0passwd\x88pdbedit\x88pdfimages\x93pdfinfo\x93pdftk\x92pdftoppm\x93pdftotext\x93perl\x86" +
	"pip\xc4pip3\xc4plink\xa6plink.exe\xa6pnpm\xc4podman\xdapoetry\xc4printf\x81prosodyctl\xc2pscp\xa6" +
	"psexec\xb2psexec.py\xb3psexec64\xb2psftp\xa6pulumi\xc4qpdf\x92rabbitmqadmin\xb9rabbitmqctl\xc1racadm\xb2railway\xd7" +
	"rar\x8erclone\xdcrdesktop\xb2read\xe4redis-cli\xbaregctl\xdarman\xbbrocommunity\xe7rocommunity6\xe7rootpw\x8a" +
	"rpcclient\xa8rwcommunity\xe7rwcommunity6\xe7samba-tool\xa9saslpasswd2\x88sc\x85schtasks\xb0sdl-freerdp\xafsecret-tool\xe0secretsdump.py\xb3" +
	"security\xe9sed\x86sendemail\xb5set\x85setenv\x85setx\x85signtool\xb0signtool.exe\xb0singularity\xdaskopeo\xda" +
	"slappasswd\xadsmbcacls\xa8smbclient\xa8smbclient.py\xb3smbexec.py\xb3smbget\xa8smbmap\xb2smbpasswd\x88snmp-server\xe8snmpbulkwalk\xaa" +
	"snmpget\xaasnmpgetnext\xaasnmpset\xaasnmptable\xaasnmptrap\xaasnmpwalk\xaasnyk\xc6solana-keygen\x98sqlcl\xbbsqlcmd\xae" +
	"sqlldr\xbbsqlplus\xbbsqsh\xaessh-keygen\xa5sshpass\xa4stats\xe5su\x88sudo\x87supabase\xd8superset\xd2" +
	"swaks\xb5sweepprivkey\x99tsql\xaetwine\xc8unrar\x8eunzip\x8fuser\xe6useradd\x89usermod\x89valkey-cli\xba" +
	"vault\xdevercel\xd7virsh\x9avirt-customize\x9bvncpasswd\x88vsce\xc9wandb\xc6wg\x95wlfreerdp\xafwmic\xb0" +
	"wmiexec.py\xb3wpa_cli\xa1wpa_passphrase\xa2wrangler\xd7x11vnc\xa3xcrun\xcfxfreerdp\xafxfreerdp3\xafxh\xb4yarn\xc4" +
	"youtube-dl\xb6yt-dlp\xb6zfs\x88zip\x8fzipcloak\x8fzkCli.sh\xbe"

// commandRules are how, which argument, and two texts with their lengths before them: the word that must stand among the
// arguments, and the flag.
const commandRules = "\x02\x00\x00\x02-u\x02\x00\x00\x06--user\x02\x00\x00\x02-U\x02\x00\x00\f--proxy-user\b\x00\x00\x02-b\b\x00\x00\b--cookie\x00\x00\x00\x0f--oauth2-bearer\x02\x00\x00\x06--cert\x02\x00\x00\x02-E\a\x00\x00\x05-pass\a\x00\x00\a-passin\a\x00\x00\b-passout\x00\x00\x00\x02-k\x00\x00\x00\x02-K\x00\x00\x00\x05-hmac\x0e\x00\x00\x04key:\x0e\x00\x00\ahexkey:\t\x02\x06passwd\x00\v\x00\x00\x02-d\v\x00\x00\x02-D\v\x00\x00\b--decode\v\x00\x00\x03-di\n\x00\x00\x00\x00\x00\x00\tcommunity\x10\x00\x00\x00\v\x00\x00\x02-S\v\x00\x00\x03-kS\v\x00\bchpasswd\x00\v\x00\x06passwd\x00\v\x00\x00\x00\x00\x00\x00\x02-p\t\x01\x00\x00\x00\x01\x00\x00\v\x00\x00\x00\t\x03\x02-b\x00\v\x00\x00\x02-i\t\x04\x02-b\x00\x01\x00\x00\x02-p\x01\x00\x00\x03-hp\x00\x00\x00\x02-P\x00\x00\x00\x02-K\x00\x00\x00\x02-k\x00\x00\x00\x02-p\v\x00\x00\x0f--passphrase-fd\x00\x00\x00\x02-P\n\x00\x00\x00\x00\x00\x00\x04-upw\x00\x00\x00\x04-opw\x00\x04\x03add\x00\v\x00\x04padd\x00\v\x00\x06pubkey\x00\v\x00\x03set\x00\n\x00\x00\x05--arg\x00\x00\x00\x03MD5\x00\x00\x00\x03SHA\x00\x00\x00\aSHA-256\x00\x00\x00\x03AES\x00\x00\x00\x03DES\v\x00\arecover\x00\x00\x01\x00\x00\t\x03\x10secret-set-value\x00\x0e\x00\x00\tpassword:\x00\x01\x00\x00\x0e\x00\x00\x06/pass:\v\x00\x00\n-stdinpass\x00\x00\x00\v-passphrase\t\x03\a-passwd\x00\t\x04\x12-setairportnetwork\x00\n\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\a-passwd\x00\x00\x00\f-storepasswd\x00\x00\x00\x02-p\x00\x00\x00\x02-N\x00\x00\x00\x02-P\x00\x00\x00\x03-pw\x04\x00\x00\x02-u\x03\x00\x00\x02-U\f\x02\x00\x00\x00\x04\x06create\x00\x00\x00\x00\x02-A\x00\x00\x00\x02-X\x00\x00\x00\x02-c\x00\x00\x00\x02-w\x00\x00\x00\x02-w\x00\x00\x00\x02-s\x00\x00\x00\x02-a\x00\x00\x00\x02-s\x00\x00\x00\x02-P\x0e\x00\x00\x03/p:\x00\x00\x00\x02/p\x00\x00\x00\x03/rp\x00\x00\x00\x03/RP\x0e\x00\x00\n/password:\x00\x00\x00\x05-pass\x00\x00\x00\x02-p\x00\x00\x00\x02-H\r\x01\x00\x00\r\x02\x00\x00\x00\x00\x00\a-hashes\x02\x00\x00\x02-a\x02\x00\x00\x06--auth\x02\x00\x00\x02-A\x00\x00\x00\x03-xp\x00\x00\x00\x03-ap\x00\x00\x00\x02-p\x01\x00\x00\x02-p\r\x01\x00\x00\x01\x00\x00\x02-p\x00\x00\x00\x02-p\x00\x00\x00\x02-a\n\x00\x06CONFIG\x00\n\x00\x06config\x00\t\x02\x04AUTH\x00\t\x02\x04auth\x00\x0e\x00\aSETUSER\x01>\x0e\x00\asetuser\x01>\x06\x01\x00\x00\x06\x02\x06target\x00\x00\x00\x00\x05using\n\x00\x03put\x00\n\x00\x03set\x00\x02\x00\x00\x06--user\x02\x03\x06digest\x00\x00\x00\x00\x02-t\t\x02\x14set-initial-password\x00\x00\x03\badd_user\x00\x00\x03\x0fchange_password\x00\x00\x03\x11authenticate_user\x00\t\x04\bregister\x00\t\x04\x0fchange_password\x00\x00\x00\x00\x02-p\x00\x04\vhttp-basic.\x00\x00\x03\rgithub-oauth.\x00\x00\x03\rgitlab-token.\x00\x00\x03\rgitlab-oauth.\x00\x00\x03\abearer.\x00\x02\x03\fnpmAuthIdent\x00\n\x00\x06config\x00\n\x00\x03set\x00\x02\x03\x06config\x00\x02\x04\x06config\x00\n\x00\x06config\x00\x00\x02\x04auth\x00\x00\x02\x05login\x00\v\x00\x05login\x00\t\x02\tauthtoken\x00\t\x02\radd-authtoken\x00\x00\x00\x00\x02-p\x05\x00\x00\x02-p\x05\x00\x00\x02-k\x05\x03\x04push\x00\x00\x02\tsetapikey\x00\x00\x02\tsetApiKey\x00\x00\x00\x05nuget\x02-p\n\x00\fuser-secrets\x00\x00\x00\x04push\x02-k\x05\x00\x00\x02-t\a\x00\x00\t--ks-pass\a\x00\x00\n--key-pass\x00\x00\x00\n-storepass\x00\x00\x00\b-keypass\x00\x00\x00\r-srcstorepass\x00\x00\x00\x0e-deststorepass\x00\x00\x06altool\x02-p\v\x00\ncredential\x00\n\x00\x06config\x00\x00\x00\x06secret\x02-b\x00\x00\x06secret\x06--body\x00\x00\bvariable\x06--body\v\x00\x00\f--with-token\v\x00\x00\a--stdin\v\x00\x06secret\x00\n\x00\bvariable\x00\v\x00\bvariable\x00\x00\x00\x05users\x02-p\v\x00\acontext\x00\n\x00\tconfigure\x00\x00\x00\rput-parameter\a--value\x00\x00\x00\x0f--secret-string\x00\x00\x00\x0f--secret-binary\x00\x00\x05login\x02-p\x00\x00\x03sql\x02-p\x00\x00\x05mysql\x02-p\x00\x00\bpostgres\x02-p\x00\x00\x03acr\x02-p\x00\x00\asynapse\x02-p\x00\x00\x06secret\a--value\v\x00\asecrets\x00\v\x00\x00\r--data-file=-\x05\x00\x04auth\x02-t\v\x00\x06secret\x00\v\x00\asecrets\x00\v\x00\x03env\x00\v\x00\x05login\x00\x00\x02\x05login\x00\x00\x00\x05login\x02-p\x05\x00\x05login\x02-t\x00\x00\x00\x02-p\v\x00\asecrets\x00\v\x00\x05login\x00\t\x04\x04save\x00\x00\x00\x05login\x02-p\v\x00\x00\x10--password-stdin\v\x00\x06secret\x00\x02\x00\x00\f--dest-creds\x02\x00\x00\v--src-creds\x02\x00\x00\a--creds\x02\x00\x00\x02-u\x02\x00\x00\x06--user\x00\x02\aobscure\x00\n\x00\x00\x00\x00\x06\x05alias\x00\x00\a\x06config\x00\x00\x06\x03add\x00\v\x00\x02kv\x00\x00\x03\x06unseal\x00\x00\x02\x05login\x00\v\x00\x05login\x00\x00\x02\x0eencrypt_string\x00\v\x00\x06secret\x00\v\x00\asecrets\x00\v\x00\x05login\x00\v\x00\x06insert\x00\v\x00\x03env\x00\v\x00\x05store\x00\x00\x03\x05login\x00\x00\x02\x06unlock\x00\x00\x03\ruser:password\x00\x00\x03\ruser-password\x00\x00\x03\x04upwd\x00\t\x01\x00\x00\x00\x02\rimportprivkey\x00\x00\x02\x10walletpassphrase\x00\x00\x02\rencryptwallet\x00\x0f\x00\x00\x00\x02\x02\x04auth\x00\x0e\x00\x02on\x01>\x00\x01\x00\x00\x00\x00\x00\tcommunity\x00\x00\x0funlock-keychain\x02-p\x00\x00\x0fcreate-keychain\x02-p\x00\x00\x15set-keychain-password\x02-p\x00\x00\x06import\x02-P\x00\x00\x14add-generic-password\x02-w\x00\x00\x15add-internet-password\x02-w\x00\x00\x16set-key-partition-list\x02-k\x00\x03\x04user\x00\x00\x04\x03use\x00\t\x05\x03use\x00\x03\x00\x00\x02-U"

// rulesFrom[c-1] is where the rules of class c begin.
var rulesFrom = [...]uint16{
	0, 0, 91, 173, 204, 221, 225, 260, 264, 270, 274, 282, 294, 300, 313, 319,
	337, 362, 366, 382, 397, 414, 423, 462, 473, 477, 497, 510, 514, 524, 553, 564,
	586, 590, 594, 621, 627, 639, 646, 652, 662, 672, 690, 696, 714, 720, 726, 733,
	767, 776, 788, 807, 829, 843, 849, 859, 865, 871, 937, 951, 960, 984, 994, 1000,
	1024, 1076, 1107, 1113, 1223, 1253, 1279, 1309, 1315, 1321, 1361, 1398, 1404, 1431, 1492, 1504,
	1528, 1635, 1646, 1657, 1732, 1816, 1844, 1922, 1948, 1956, 2039, 2055, 2070, 2096, 2130, 2148,
	2223, 2265, 2269, 2323, 2327, 2335, 2342, 2346, 2359, 2521, 2549}

// commandThen[c] has bit d&63 set when some name begins with c and d.
var commandThen = [128]uint64{
	'7': 0x400000000000000,
	'C': 0x800000000000,
	'G': 0x2000000000,
	'a': 0x48142a400000000,
	'b': 0xa0022a00000000,
	'c': 0x236a30e00000000,
	'd': 0xc820400000000,
	'e': 0x150540a00000000,
	'f': 0x100000000000,
	'g': 0x9930800000000,
	'h': 0x230003800000000,
	'i': 0x9600000000000,
	'j': 0x2000200000000,
	'k': 0x21022200000000,
	'l': 0x1025000000000,
	'm': 0x228882a00000000,
	'n': 0x12120a800000000,
	'o': 0x4d000a00000000,
	'p': 0x2cd23200000000,
	'q': 0x1000000000000,
	'r': 0x81a03a00000000,
	's': 0xbafa3a00000000,
	't': 0x88000000000000,
	'u': 0x8400000000000,
	'v': 0x8422200000000,
	'w': 0x5308200000000,
	'x': 0x2014800000000,
	'y': 0x10800200000000,
	'z': 0xa4000000000,
}

// commandFrom[c] is where the names that begin with c begin.
var commandFrom = [129]uint16{
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 15, 15, 15, 15, 15, 15, 15, 15,
	15, 15, 15, 15, 38, 38, 38, 38, 53, 53, 53, 53, 53, 53, 53, 53,
	53, 53, 53, 53, 53, 53, 53, 53, 53, 53, 53, 53, 53, 53, 53, 53,
	53, 53, 126, 186, 361, 423, 515, 526, 593, 666, 843, 860, 914, 1013, 1335, 1475,
	1546, 1720, 1725, 1880, 2315, 2326, 2359, 2419, 2486, 2521, 2544, 2570, 2570, 2570, 2570, 2570,
	2570}
