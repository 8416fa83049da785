package redact

// rareServices are names that hardly stand before anything but what the service gave out: hidden beside them are checksums too.
const rareServices = " " +
	"abuseipdb abyssale accuweather adafruitio adobeio adzuna aeroworkflow airbrake airtable airvisual aiven alconost alegra " +
	"aletheiaapi algolia alibaba alienvault aliyun allsports ambee amplitude anthropic anypoint apacta api2cart apideck apiflash " +
	"apifonica apify apilayer apimatic apimetrics apitemplate appcues appfollow appointedd appoptics appsynergy apptivo artifactory " +
	"assemblyai atera audd auth0 autodesk autoklose avaza aviationstack ayrshare backblaze bannerbear baremetrics baseapiio beebole " +
	"besnappy betterstack billomat bitbar bitcoinaverage bitfinex bitly bitmex blazemeter blitapp blocknative bombbomb borgbase " +
	"braintree brandfetch browserstack browshot buddyns budibase bugherd bugsnag bulksms buttercms caflou calendarific calendly " +
	"calorieninja campayn cannyio capsulecrm captaindata carboninterface cashboard censys centralstationcrm cerebras cexio chartmogul " +
	"chatfuel checklyhq checkvist clarifai clearbit clickhelp clicksend clickup cliengo clinchpad clockify clockworksms cloudconvert " +
	"cloudelements cloudinary cloudmersive cloudplan cloudsmith cloudways cloverly clustdoc codacy codeclimate codemagic codequiry " +
	"cohere coinapi coinbase coinlayer coinlib coinmarketcap commercejs companyhub contentful conversiontools convertapi convertkit " +
	"countrylayer coveralls craftmypdf crossbrowsertesting crowdin cryptocompare currencycloud currencyfreaks currencylayer " +
	"currencyscoop currentsapi customerio d7network dareboost databricks datadog datarobot deepai deepgram deepl deepseek detectify " +
	"detectlanguage dfuse diffbot diggernaut disqus dnscheck dnsimple docparser documo docusign dotdigital dovico dronahq duply dwolla " +
	"dynalist dynatrace eagleeyenetworks easyinsight edamam edenai eightxeight elasticemail elevenlabs enablex endorlabs etherscan " +
	"ethplorer eventbrite everhour exchangerateapi exchangeratesapi exportsdk extractorapi faceplusplus facepp fakejson fastforex " +
	"fastly fetchrss fibery fileio finage findl finicity finnhub firecrawl fixerio flatio fleetbase flightapi flightlabs flightstats " +
	"flowflu flutterwave fmfw formbucket formcraft formio formsite foursquare frameio freshbooks freshdesk fullstory fxmarket " +
	"geckoboard gengo geoapify geocodify geocodio geoipifi getemail getemails getgeoapi getgist getresponse getsandbox glassnode " +
	"gocanvas gocardless graphcms graphhopper greptile groovehq gtmetrix gumroad gyazo happyscribe hellosign helpcrunch helpscout " +
	"hereapi hiveage holidayapi html2pdf hubspot huggingface hypertrack iconfinder iexapis iexcloud imagekit imagga infura insightly " +
	"instabot instamojo integromat interseller intra42 intrinio invoiceocean ip2location ipapi ipgeolocation ipify ipinfo ipinfodb " +
	"ipquality ipstack jotform jumpcloud kanbantool karmacrm keenio kickbox klaviyo klipfolio knapsackpro kucoin kylas languagelayer " +
	"larksuite launchdarkly leadfeeder lendflow lexigram linemessaging linenotify linkpreview livechat livestorm loadmill locationiq " +
	"loginradius logrocket logzio lokalise loyverse lunchmoney macaddress madkudu mailboxlayer mailchimp mailerlite mailgun mailjet " +
	"mailmodo mailsac mailtrap mandrill mapbox mapillary mapquest marketstack mattermost mavenlink maxmind meaningcloud mediastack " +
	"meistertask mercadopago mesibo messagebird metaapi metrilo mindmeister mixpanel mockaroo moonclerk moosend moralis mrticktock " +
	"myfreshworks myintervals nethunt neutrinoapi newrelic newsapi newscatcher nexmo nftport ngrok nicereply numverify nutritionix " +
	"nylas nytimes oanda okta omnisend onedesk onelogin onepagecrm onesignal onwaterio oopspam openai opencage opencagedata opengraphr " +
	"openrouter openuv openweather openweathermap opsgenie optimizely overloop owlbot owm packagecloud pagarme pagerduty pandadoc " +
	"pandascore paperform paralleldots parsehub parseur partnerstack paydirtapp paymongo paystack pdflayer pdfshift peopledatalabs " +
	"pepipost perplexity photoroom pinata pipedream pipedrive pivotaltracker pixabay planetscale planviewleankit planyo plivo podio " +
	"pollsapi poloniex positionstack postageapp posthog postmark powrbot prodpad prospectcrm protocolsio proxycrawl pscale pubnub " +
	"pushbullet pusher pushover pyowm qase qualaroo qubole rapidapi razorpay readthedocs reallysimplesystems rebrandly recaptcha " +
	"rechargepayments rentman repairshopr requestfinance restpack revampcrm ringcentral ritekit rocketreach rollbar roninapp rootly " +
	"route4me runpod runrunit runscope salesblink salescookie salesflare salesmate satismeter saucelabs scaleway scalr scrapeowl " +
	"scraperapi scraperbox scrapersite scrapestack scrapfly scrapingant scrapingbee screenshotapi screenshotlayer scrutinizerci " +
	"securitytrails selectpdf sendbird sendgrid sendinblue serpapi serphouse serpstack sherpadesk shipday shippo shodan shotstack " +
	"shutterstock signalwire signaturit signupgenius sigopt simfin simplesat simplynoted simvoly sinchmessage siteleaf skrapp skrappio " +
	"skybiometry smartsheets smartystreets snipcart soniox sourcegraph sparkpost speechtext speechtextai splunk spoonacular sportmonks " +
	"sportradar squarespace sslmate statuscake statuspage statuspal stitchdata stockdata storecove stormboard stormglass storyblok " +
	"storychief stripo stytch sugester sumologic supernotes surveyanyplace surveybot surveysparrow survicate swiftype tallyfy tatumio " +
	"tavily taxjar teamgate teamwork teamworkcrm teamworkdesk teamworkspaces tefter telnyx testingbot text2data textmagic theoddsapi " +
	"thingsboard thinkific thousandeyes ticketmaster tickettailor tiingo timecamp timezoneapi tmetric todoist toggl toggltrack tokeet " +
	"tomorrowio tomtom tradier transferwise travelpayouts trello twelvedata twilio tyntec typeform typetalk ubidots uclassify unifyid " +
	"unplugg unsplash upcdatabase uplead uploadcare upwave urlscan userflow userstack vatlayer veevavault verimail veriphone versioneye " +
	"viewneo virustotal visualcrossing voiceflow voicegain voodoosms vpnapi vultr wakatime walkscore weatherapi weatherbit weatherstack " +
	"web3storage webflow webscraper webscraping websitepulse wepay whoxy workos worksnaps worldcoinindex worldweather wrike ynab " +
	"youneedabudget yousign zendesk zenkit zenrows zenscrape zenserp zeplin zerobounce zerotier zillow zipbooks zipcodeapi zipcodebase " +
	"zonkafeedback zoominfo zulipchat "

// commonServices are names that also stand before commits, builds and images, and words of plain English.
const commonServices = " " +
	"adobe asana atlassian aws azure beamer bitbucket blogger canva circleci clickhouse clojars cloudflare coda codecov confluent " +
	"courier dailyco deputy digitalocean discord doppler dropbox ebay elastic etsy facebook figma flickr gcp gitlab gitter grafana " +
	"harness harvest heroku honeycomb instagram intercom jenkins jfrog jira kraken linear linkedin logdna loggly meraki miro nasdaq " +
	"netcore netlify nightfall noticeable notion nozbe nuget onfido paypal plaid postman prefect pulumi qualtrics ramp raven refiner " +
	"replicate rubygems salesforce segment semaphore sentry shopify shortcut slack smooch snowflake sonarcloud sonarqube spotify strava " +
	"stripe sumo supabase tailscale telegram terraform tines twist twitch twitter vercel webex xai yandex yelp zapier zoho "
