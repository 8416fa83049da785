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
	classStrict = 94
)

// commandNames are sorted, each with its class and the high bit behind it.
const commandNames = "" +
	"7z\x8e7za\x8e7zr\x8e7zz\x8eConvertTo-SecureString\x98GetUserSPNs.py\xafab\xb0aescrypt\x90age\xdaansible\x88" +
	"ansible-vault\xd9apksigner\xc9apptainer\xd4aws\xceaz\xcfbase64\x84bcp\xaabeeline\xb5bitcoin-cli\xddbuildah\xd4" +
	"bundle\xc1bundletool\xc9bw\xdacargo\xc2cbq\xb5ccrypt\x90choco\xc6chpasswd\x88civo\xd3cmdkey\x99" +
	"cme\xaecodecov\xc8composer\xc0conan\xc4consul\xb9convex\xd1cosign\xd4couchbase-cli\xb5cqlsh\xb5crackmapexec\xae" +
	"crane\xd4cryptsetup\x88ctr\xd5curl\x82cypher-shell\xb5db2\xb8diskutil\x9adoas\x87docker\xd4doctl\xd1" +
	"dogecoin-cli\xdddotnet\xc7drush\xdbdscl\x9beas\xd1echo\x81ejabberdctl\xbeelasticsearch-users\xbfencfs\x88enum4linux\xae" +
	"etcdctl\xb9evil-winrm\xaeexp\xb7expdp\xb7expo\xd1fly\xd1flyctl\xd1gcloud\xd0gh\xcdgit\xcc" +
	"glab\xcdgopass\xdagpg\x91gpg-preset-passphrase\x91gpg2\x91gsed\x86hdiutil\x9ahelm\xd4heroku\xd1htdigest\x88" +
	"htpasswd\x8chttp\xb0httpie\xb0https\xb0hub\xcdhydra\xaeimp\xb7impacket-GetUserSPNs\xafimpacket-mssqlclient\xafimpacket-psexec\xaf" +
	"impacket-secretsdump\xafimpacket-smbclient\xafimpacket-smbexec\xafimpacket-wmiexec\xafimpdp\xb7influx\xbbipmitool\xaaisql\xaajarsigner\xcakadmin\xa7" +
	"keyctl\x94keydb-cli\xb6keytool\xcakinit\x88kpasswd\x88kubectl\xd1ldapadd\xa7ldapcompare\xa7ldapdelete\xa7ldapmodify\xa7" +
	"ldappasswd\xa8ldapsearch\xa7ldapwhoami\xa7lftp\xa3litecoin-cli\xddlpass\xdamariadb\xb4mariadb-admin\xb4mariadb-dump\xb4mc\xd7" +
	"mcli\xd7mcrypt\x90medusa\xaemkpasswd\x8bmongo\xb5mongodump\xb5mongoexport\xb5mongoimport\xb5mongorestore\xb5mongosh\xb5" +
	"mongostat\xb5mongotop\xb5mosquitto_passwd\x8dmosquitto_pub\xaamosquitto_rr\xaamosquitto_sub\xaamssqlclient.py\xafmutool\xb2mycli\xb5mysql\xb4" +
	"mysqladmin\xb4mysqlbinlog\xb4mysqlcheck\xb4mysqldump\xb4mysqlimport\xb4mysqlpump\xb4mysqlsh\xb3mysqlslap\xb4ncftp\xaencftpget\xae" +
	"ncftpput\xaenebula-console\xb5neo4j-admin\xbcnerdctl\xd4net\xe0net.exe\xe0netexec\xaenetlify\xd1networksetup\x9cngrok\xc3" +
	"nmcli\x9dnpm\xc0npm-cli-login\xc4nuget\xc6nxc\xaeoathtool\xdcoc\xd4op\xdaopenconnect\x88openfortivpn\xae" +
	"openssl\x83oras\xd4osslsigncode\xadovsx\xc5pass\xdapasswd\x88pdbedit\x88pdfimages\x93pdfinfo\x93pdftk\x92" +
	"pdftoppm\x93pdftotext\x93perl\x86pip\xc0pip3\xc0plink\xa2plink.exe\xa2pnpm\xc0podman\xd4poetry\xc0" +
	"printf\x81prosodyctl\xbepscp\xa2psexec\xaepsexec.py\xafpsexec64\xaepsftp\xa2pulumi\xc0qpdf\x92rabbitmqadmin\xb5" +
	"rabbitmqctl\xbdracadm\xaerailway\xd1rar\x8erclone\xd6rdesktop\xaeread\xderedis-cli\xb6regctl\xd4rman\xb7" +
	"rootpw\x8arpcclient\xa4samba-tool\xa5saslpasswd2\x88sc\x85schtasks\xacsdl-freerdp\xabsecret-tool\xdasecretsdump.py\xafsecurity\xdf" +
	"sed\x86sendemail\xb1set\x85setenv\x85setx\x85signtool\xacsigntool.exe\xacsingularity\xd4skopeo\xd4slappasswd\xa9" +
	"smbcacls\xa4smbclient\xa4smbclient.py\xafsmbexec.py\xafsmbget\xa4smbmap\xaesmbpasswd\x88snmpbulkwalk\xa6snmpget\xa6snmpset\xa6" +
	"snmptrap\xa6snmpwalk\xa6snyk\xc2sqlcl\xb7sqlcmd\xaasqlldr\xb7sqlplus\xb7sqsh\xaassh-keygen\xa1sshpass\xa0" +
	"su\x88sudo\x87supabase\xd2swaks\xb1tsql\xaatwine\xc4unrar\x8eunzip\x8fuseradd\x89usermod\x89" +
	"valkey-cli\xb6vault\xd8vercel\xd1virsh\x96virt-customize\x97vncpasswd\x88vsce\xc5wandb\xc2wg\x95wlfreerdp\xab" +
	"wmic\xacwmiexec.py\xafwpa_cli\x9dwpa_passphrase\x9ewrangler\xd1x11vnc\x9fxcrun\xcbxfreerdp\xabxfreerdp3\xabxh\xb0" +
	"yarn\xc0youtube-dl\xb2yt-dlp\xb2zfs\x88zip\x8fzipcloak\x8fzkCli.sh\xba"

// commandRules are how, which argument, and two texts with their lengths before them: the word that must stand among the
// arguments, and the flag.
const commandRules = "\x02\x00\x00\x02-u\x02\x00\x00\x06--user\x02\x00\x00\x02-U\x02\x00\x00\f--proxy-user\b\x00\x00\x02-b\b\x00\x00\b--cookie\x00\x00\x00\x0f--oauth2-bearer\x02\x00\x00\x06--cert\x02\x00\x00\x02-E\a\x00\x00\x05-pass\a\x00\x00\a-passin\a\x00\x00\b-passout\x00\x00\x00\x02-k\x00\x00\x00\x02-K\x00\x00\x00\x05-hmac\x0e\x00\x00\x04key:\x0e\x00\x00\ahexkey:\t\x02\x06passwd\x00\v\x00\x00\x02-d\v\x00\x00\x02-D\v\x00\x00\b--decode\v\x00\x00\x03-di\n\x00\x00\x00\x10\x00\x00\x00\v\x00\x00\x02-S\v\x00\x00\x03-kS\v\x00\bchpasswd\x00\v\x00\x06passwd\x00\v\x00\x00\x00\x00\x00\x00\x02-p\t\x01\x00\x00\x00\x01\x00\x00\v\x00\x00\x00\t\x03\x02-b\x00\v\x00\x00\x02-i\t\x04\x02-b\x00\x01\x00\x00\x02-p\x01\x00\x00\x03-hp\x00\x00\x00\x02-P\x00\x00\x00\x02-K\x00\x00\x00\x02-k\x00\x00\x00\x02-p\v\x00\x00\x0f--passphrase-fd\x00\x00\x00\x02-P\n\x00\x00\x00\x00\x00\x00\x04-upw\x00\x00\x00\x04-opw\x00\x04\x03add\x00\v\x00\x04padd\x00\v\x00\x06pubkey\x00\v\x00\x03set\x00\t\x03\x10secret-set-value\x00\x0e\x00\x00\tpassword:\x00\x01\x00\x00\x0e\x00\x00\x06/pass:\v\x00\x00\n-stdinpass\x00\x00\x00\v-passphrase\t\x03\a-passwd\x00\t\x04\x12-setairportnetwork\x00\n\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\a-passwd\x00\x00\x00\f-storepasswd\x00\x00\x00\x02-p\x00\x00\x00\x02-N\x00\x00\x00\x02-P\x00\x00\x00\x03-pw\x04\x00\x00\x02-u\x03\x00\x00\x02-U\f\x02\x00\x00\x00\x04\x06create\x00\x00\x00\x00\x02-A\x00\x00\x00\x02-X\x00\x00\x00\x02-w\x00\x00\x00\x02-w\x00\x00\x00\x02-s\x00\x00\x00\x02-a\x00\x00\x00\x02-s\x00\x00\x00\x02-P\x0e\x00\x00\x03/p:\x00\x00\x00\x02/p\x00\x00\x00\x03/rp\x00\x00\x00\x03/RP\x0e\x00\x00\n/password:\x00\x00\x00\x05-pass\x00\x00\x00\x02-p\x00\x00\x00\x02-H\r\x01\x00\x00\r\x02\x00\x00\x00\x00\x00\a-hashes\x02\x00\x00\x02-a\x02\x00\x00\x06--auth\x02\x00\x00\x02-A\x00\x00\x00\x03-xp\x00\x00\x00\x03-ap\x00\x00\x00\x02-p\x01\x00\x00\x02-p\r\x01\x00\x00\x01\x00\x00\x02-p\x00\x00\x00\x02-p\x00\x00\x00\x02-a\n\x00\x06CONFIG\x00\n\x00\x06config\x00\t\x02\x04AUTH\x00\t\x02\x04auth\x00\x0e\x00\aSETUSER\x01>\x0e\x00\asetuser\x01>\x06\x01\x00\x00\x06\x02\x06target\x00\x00\x00\x00\x05using\n\x00\x03put\x00\n\x00\x03set\x00\x02\x00\x00\x06--user\x02\x03\x06digest\x00\x00\x00\x00\x02-t\t\x02\x14set-initial-password\x00\x00\x03\badd_user\x00\x00\x03\x0fchange_password\x00\x00\x03\x11authenticate_user\x00\t\x04\bregister\x00\t\x04\x0fchange_password\x00\x00\x00\x00\x02-p\x00\x04\vhttp-basic.\x00\x00\x03\rgithub-oauth.\x00\x00\x03\rgitlab-token.\x00\x00\x03\rgitlab-oauth.\x00\x00\x03\abearer.\x00\x02\x03\fnpmAuthIdent\x00\n\x00\x06config\x00\n\x00\x03set\x00\x02\x03\x06config\x00\x02\x04\x06config\x00\n\x00\x06config\x00\x00\x02\x04auth\x00\x00\x02\x05login\x00\v\x00\x05login\x00\t\x02\tauthtoken\x00\t\x02\radd-authtoken\x00\x00\x00\x00\x02-p\x05\x00\x00\x02-p\x05\x00\x00\x02-k\x05\x03\x04push\x00\x00\x02\tsetapikey\x00\x00\x02\tsetApiKey\x00\x00\x00\x05nuget\x02-p\n\x00\fuser-secrets\x00\x00\x00\x04push\x02-k\x05\x00\x00\x02-t\a\x00\x00\t--ks-pass\a\x00\x00\n--key-pass\x00\x00\x00\n-storepass\x00\x00\x00\b-keypass\x00\x00\x00\r-srcstorepass\x00\x00\x00\x0e-deststorepass\x00\x00\x06altool\x02-p\v\x00\ncredential\x00\n\x00\x06config\x00\x00\x00\x06secret\x02-b\x00\x00\x06secret\x06--body\x00\x00\bvariable\x06--body\v\x00\x00\f--with-token\v\x00\x00\a--stdin\v\x00\x06secret\x00\n\x00\bvariable\x00\v\x00\bvariable\x00\n\x00\tconfigure\x00\x00\x00\rput-parameter\a--value\x00\x00\x00\x0f--secret-string\x00\x00\x00\x0f--secret-binary\x00\x00\x05login\x02-p\x00\x00\x03sql\x02-p\x00\x00\x05mysql\x02-p\x00\x00\bpostgres\x02-p\x00\x00\x03acr\x02-p\x00\x00\asynapse\x02-p\x00\x00\x06secret\a--value\v\x00\asecrets\x00\v\x00\x00\r--data-file=-\x05\x00\x04auth\x02-t\v\x00\x06secret\x00\v\x00\asecrets\x00\v\x00\x03env\x00\v\x00\x05login\x00\x00\x02\x05login\x00\x00\x00\x05login\x02-p\x05\x00\x05login\x02-t\x00\x00\x00\x02-p\v\x00\asecrets\x00\v\x00\x05login\x00\t\x04\x04save\x00\x00\x00\x05login\x02-p\v\x00\x00\x10--password-stdin\v\x00\x06secret\x00\x02\x00\x00\f--dest-creds\x02\x00\x00\v--src-creds\x02\x00\x00\a--creds\x02\x00\x00\x02-u\x02\x00\x00\x06--user\x00\x02\aobscure\x00\n\x00\x00\x00\x00\x06\x05alias\x00\x00\a\x06config\x00\x00\x06\x03add\x00\v\x00\x02kv\x00\x00\x03\x06unseal\x00\x00\x02\x05login\x00\v\x00\x05login\x00\x00\x02\x0eencrypt_string\x00\v\x00\x06secret\x00\v\x00\asecrets\x00\v\x00\x05login\x00\v\x00\x06insert\x00\v\x00\x03env\x00\v\x00\x05store\x00\x00\x03\x05login\x00\x00\x02\x06unlock\x00\x00\x03\ruser:password\x00\x00\x03\ruser-password\x00\x00\x03\x04upwd\x00\t\x01\x00\x00\x00\x02\rimportprivkey\x00\x00\x02\x10walletpassphrase\x00\x00\x02\rencryptwallet\x00\x0f\x00\x00\x00\x00\x00\x0funlock-keychain\x02-p\x00\x00\x0fcreate-keychain\x02-p\x00\x00\x15set-keychain-password\x02-p\x00\x00\x06import\x02-P\x00\x00\x14add-generic-password\x02-w\x00\x00\x15add-internet-password\x02-w\x00\x00\x16set-key-partition-list\x02-k\x00\x03\x04user\x00\x00\x04\x03use\x00\x03\x00\x00\x02-U"

// rulesFrom[c-1] is where the rules of class c begin.
var rulesFrom = [...]uint16{
	0, 0, 91, 173, 204, 208, 212, 247, 251, 257, 261, 269, 281, 287, 300, 306,
	324, 349, 353, 369, 384, 401, 421, 434, 438, 448, 477, 488, 510, 514, 518, 545,
	551, 563, 570, 576, 586, 596, 608, 614, 632, 638, 644, 651, 685, 694, 706, 725,
	747, 761, 767, 777, 783, 789, 855, 869, 878, 902, 912, 918, 942, 994, 1025, 1031,
	1141, 1171, 1197, 1227, 1233, 1239, 1279, 1316, 1322, 1349, 1410, 1422, 1446, 1553, 1628, 1712,
	1740, 1818, 1844, 1852, 1935, 1951, 1966, 1992, 2026, 2044, 2119, 2161, 2165, 2219, 2223, 2385,
	2406}

// commandThen[c] has bit d&63 set when some name begins with c and d.
var commandThen = [128]uint64{
	'7': 0x400000000000000,
	'C': 0x800000000000,
	'G': 0x2000000000,
	'a': 0x48140a400000000,
	'b': 0xa0022a00000000,
	'c': 0x236a30e00000000,
	'd': 0xc820400000000,
	'e': 0x150540a00000000,
	'f': 0x100000000000,
	'g': 0x9930800000000,
	'h': 0x230003000000000,
	'i': 0x9600000000000,
	'j': 0x200000000,
	'k': 0x21022200000000,
	'l': 0x1025000000000,
	'm': 0x228882a00000000,
	'n': 0x12120a800000000,
	'o': 0x4d000a00000000,
	'p': 0x2cd23200000000,
	'q': 0x1000000000000,
	'r': 0x1a03a00000000,
	's': 0xaa7a3a00000000,
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
	53, 53, 118, 178, 342, 404, 496, 507, 569, 635, 798, 808, 862, 961, 1283, 1423,
	1494, 1668, 1673, 1778, 2137, 2148, 2176, 2236, 2303, 2338, 2361, 2387, 2387, 2387, 2387, 2387,
	2387}
