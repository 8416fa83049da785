package redact

// Classes of commands that take secrets in the same places. Zero: none.
const (
	classEcho = 1 + iota
	classAnsible
	classAnsibleVault
	classAws
	classAz
	classBase64
	classBcp
	classBundle
	classCargo
	classChpasswd
	classCodecov
	classCryptsetup
	classCurl
	classDocker
	classDotnet
	classGcloud
	classGh
	classGit
	classHtpasswd
	classHttpie
	classKeytool
	classLdap
	classLftp
	classMc
	classMongo
	classMysql
	classNet
	classNpm
	classNuget
	classOpenssl
	classRabbit
	classRclone
	classRedis
	classSecureString
	classSet
	classSevenZip
	classSmb
	classSnmp
	classSqlplus
	classSSHKeygen
	classSshpass
	classSudo
	classToolSecrets
	classTwine
	classUseradd
	classWpa
	classZip
)

type command struct {
	name  string
	class uint8
}

// commands are sorted.
var commands = [...]command{
	{"7z", classSevenZip}, {"7za", classSevenZip},
	{"ConvertTo-SecureString", classSecureString},
	{"age", classToolSecrets}, {"ansible", classAnsible}, {"ansible-vault", classAnsibleVault}, {"aws", classAws}, {"az", classAz},
	{"base64", classBase64}, {"bcp", classBcp}, {"buildah", classDocker}, {"bundle", classBundle},
	{"cargo", classCargo}, {"chpasswd", classChpasswd}, {"codecov", classCodecov}, {"composer", classNpm}, {"cqlsh", classMongo}, {"crane", classDocker}, {"cryptsetup", classCryptsetup}, {"curl", classCurl}, {"cypher-shell", classMongo},
	{"docker", classDocker}, {"doctl", classToolSecrets}, {"dotnet", classDotnet},
	{"echo", classEcho}, {"expdp", classSqlplus},
	{"fly", classToolSecrets}, {"flyctl", classToolSecrets},
	{"gcloud", classGcloud}, {"gh", classGh}, {"git", classGit}, {"glab", classGh},
	{"helm", classDocker}, {"heroku", classToolSecrets}, {"htpasswd", classHtpasswd}, {"http", classHttpie}, {"https", classHttpie},
	{"impdp", classSqlplus}, {"ipmitool", classBcp},
	{"jarsigner", classKeytool},
	{"keytool", classKeytool}, {"kinit", classChpasswd}, {"kubectl", classToolSecrets},
	{"ldapadd", classLdap}, {"ldapdelete", classLdap}, {"ldapmodify", classLdap}, {"ldappasswd", classLdap}, {"ldapsearch", classLdap}, {"ldapwhoami", classLdap}, {"lftp", classLftp},
	{"mariadb", classMysql}, {"mariadb-dump", classMysql}, {"mc", classMc}, {"mongo", classMongo}, {"mongodump", classMongo}, {"mongoexport", classMongo},
	{"mongoimport", classMongo}, {"mongorestore", classMongo}, {"mongosh", classMongo}, {"mongostat", classMongo}, {"mosquitto_pub", classBcp}, {"mosquitto_sub", classBcp}, {"mysql", classMysql}, {"mysqladmin", classMysql},
	{"mysqldump", classMysql}, {"mysqlimport", classMysql}, {"mysqlsh", classMysql},
	{"nerdctl", classDocker}, {"net", classNet}, {"npm", classNpm}, {"npm-cli-login", classTwine}, {"nuget", classNuget},
	{"oc", classDocker}, {"op", classToolSecrets}, {"openssl", classOpenssl},
	{"pass", classToolSecrets}, {"passwd", classChpasswd}, {"pip", classNpm}, {"pnpm", classNpm}, {"podman", classDocker}, {"poetry", classNpm}, {"printf", classEcho}, {"pulumi", classNpm},
	{"rabbitmqctl", classRabbit}, {"rar", classSevenZip}, {"rclone", classRclone}, {"redis-cli", classRedis}, {"rman", classSqlplus}, {"rpcclient", classSmb},
	{"sc", classSet}, {"set", classSet}, {"setenv", classSet}, {"setx", classSet}, {"skopeo", classDocker}, {"smbclient", classSmb}, {"smbpasswd", classChpasswd},
	{"snmpget", classSnmp}, {"snmpwalk", classSnmp}, {"snyk", classCargo}, {"sqlcmd", classBcp}, {"sqlplus", classSqlplus}, {"ssh-keygen", classSSHKeygen}, {"sshpass", classSshpass},
	{"sudo", classSudo},
	{"twine", classTwine},
	{"unrar", classSevenZip}, {"unzip", classZip}, {"useradd", classUseradd}, {"usermod", classUseradd},
	{"vault", classToolSecrets}, {"vercel", classToolSecrets},
	{"wpa_passphrase", classWpa}, {"wrangler", classToolSecrets},
	{"xh", classHttpie},
	{"yarn", classNpm},
	{"zip", classZip},
}

// commandRules are sorted by class.
var commandRules = [...]commandRule{
	{classAnsible, "", "", stdin, 0},
	{classAnsibleVault, "encrypt_string", "", whole, 2},
	{classAws, "configure", "", named, 0},
	{classAws, "put-parameter", "--value", whole, 0},
	{classAws, "", "--secret-string", whole, 0},
	{classAws, "", "--secret-binary", whole, 0},
	{classAz, "login", "-p", whole, 0},
	{classAz, "secret", "--value", whole, 0},
	{classBase64, "", "-d", stdin, 0},
	{classBase64, "", "-D", stdin, 0},
	{classBase64, "", "--decode", stdin, 0},
	{classBase64, "", "-di", stdin, 0},
	{classBcp, "", "-P", whole, 0},
	{classBundle, "config", "", userPass, 3},
	{classBundle, "config", "", userPass, 4},
	{classBundle, "config", "", named, 0},
	{classCargo, "auth", "", whole, 2},
	{classCargo, "login", "", whole, 2},
	{classCargo, "login", "", stdin, 0},
	{classChpasswd, "", "", stdin, 0},
	{classCodecov, "", "-t", generated, 0},
	{classCryptsetup, "", "", stdin, 0},
	{classCurl, "", "-u", userPass, 0},
	{classCurl, "", "--user", userPass, 0},
	{classCurl, "", "-U", userPass, 0},
	{classCurl, "", "--proxy-user", userPass, 0},
	{classCurl, "", "-b", cookie, 0},
	{classCurl, "", "--cookie", cookie, 0},
	{classCurl, "", "--oauth2-bearer", whole, 0},
	{classDocker, "login", "-p", whole, 0},
	{classDocker, "", "--password-stdin", stdin, 0},
	{classDocker, "secret", "", stdin, 0},
	{classDotnet, "user-secrets", "", named, 0},
	{classGcloud, "secrets", "", stdin, 0},
	{classGcloud, "", "--data-file=-", stdin, 0},
	{classGh, "secret", "-b", whole, 0},
	{classGh, "secret", "--body", whole, 0},
	{classGh, "variable", "--body", whole, 0},
	{classGh, "", "--with-token", stdin, 0},
	{classGh, "", "--stdin", stdin, 0},
	{classGh, "secret", "", stdin, 0},
	{classGit, "credential", "", stdin, 0},
	{classGit, "config", "", named, 0},
	{classHtpasswd, "-b", "", last, 3},
	{classHtpasswd, "-bB", "", last, 3},
	{classHtpasswd, "-Bb", "", last, 3},
	{classHtpasswd, "-bc", "", last, 3},
	{classHtpasswd, "-cb", "", last, 3},
	{classHtpasswd, "-cbB", "", last, 3},
	{classHtpasswd, "-Bbc", "", last, 3},
	{classHtpasswd, "-bcB", "", last, 3},
	{classHtpasswd, "-nb", "", last, 3},
	{classHtpasswd, "-bn", "", last, 3},
	{classHtpasswd, "-nbB", "", last, 3},
	{classHtpasswd, "-bnB", "", last, 3},
	{classHtpasswd, "-Bbn", "", last, 3},
	{classHtpasswd, "-nbm", "", last, 3},
	{classHtpasswd, "-bm", "", last, 3},
	{classHtpasswd, "", "-i", stdin, 0},
	{classHttpie, "", "-a", userPass, 0},
	{classHttpie, "", "--auth", userPass, 0},
	{classKeytool, "", "-storepass", whole, 0},
	{classKeytool, "", "-keypass", whole, 0},
	{classLdap, "", "-w", whole, 0},
	{classLftp, "", "-u", comma, 0},
	{classMc, "alias", "", whole, 6},
	{classMc, "config", "", whole, 7},
	{classMongo, "", "-p", whole, 0},
	{classMysql, "", "-p", attached, 0},
	{classNet, "user", "", whole, 3},
	{classNet, "use", "", whole, 4},
	{classNet, "", "-U", percent, 0},
	{classNpm, "config", "", named, 0},
	{classNpm, "set", "", named, 0},
	{classNuget, "push", "", generated, 3},
	{classOpenssl, "", "-pass", spec, 0},
	{classOpenssl, "", "-passin", spec, 0},
	{classOpenssl, "", "-passout", spec, 0},
	{classOpenssl, "", "-k", whole, 0},
	{classOpenssl, "", "-K", whole, 0},
	{classRabbit, "add_user", "", whole, 3},
	{classRabbit, "change_password", "", whole, 3},
	{classRabbit, "authenticate_user", "", whole, 3},
	{classRclone, "", "", named, 0},
	{classRedis, "", "-a", whole, 0},
	{classRedis, "CONFIG", "", named, 0},
	{classRedis, "config", "", named, 0},
	{classRedis, "AUTH", "", last, 2},
	{classRedis, "auth", "", last, 2},
	{classSecureString, "", "", whole, 1},
	{classSet, "", "", named, 0},
	{classSevenZip, "", "-p", attached, 0},
	{classSevenZip, "", "-hp", attached, 0},
	{classSmb, "", "-U", percent, 0},
	{classSnmp, "", "-A", whole, 0},
	{classSnmp, "", "-X", whole, 0},
	{classSqlplus, "", "", slashAt, 1},
	{classSSHKeygen, "", "-N", whole, 0},
	{classSSHKeygen, "", "-P", whole, 0},
	{classSshpass, "", "-p", whole, 0},
	{classSudo, "", "-S", stdin, 0},
	{classSudo, "", "-kS", stdin, 0},
	{classSudo, "chpasswd", "", stdin, 0},
	{classSudo, "passwd", "", stdin, 0},
	{classToolSecrets, "auth", "-t", generated, 0},
	{classToolSecrets, "login", "", whole, 2},
	{classToolSecrets, "secret", "", stdin, 0},
	{classToolSecrets, "secrets", "", stdin, 0},
	{classToolSecrets, "env", "", stdin, 0},
	{classToolSecrets, "login", "", stdin, 0},
	{classToolSecrets, "insert", "", stdin, 0},
	{classTwine, "", "-p", whole, 0},
	{classUseradd, "", "-p", whole, 0},
	{classWpa, "", "", whole, 2},
	{classZip, "", "-P", whole, 0},
}

// lookCommand gives a command's class.
func lookCommand(name string) uint8 {
	if len(name) < 2 || name[0] >= 128 || commandThen[name[0]]&(1<<(name[1]&63)) == 0 {
		return 0
	}
	lo, hi := 0, len(commands)
	for lo < hi {
		m := (lo + hi) / 2
		switch {
		case name == commands[m].name:
			return commands[m].class
		case name < commands[m].name:
			hi = m
		default:
			lo = m + 1
		}
	}
	return 0
}

// ruleFrom is the first rule of a class.
func ruleFrom(class uint8) int {
	lo, hi := 0, len(commandRules)
	for lo < hi {
		if m := (lo + hi) / 2; commandRules[m].class < class {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}
